/* Addresses are copied or shared by a tap; where the browser refuses, the selected text can be copied by hand. */
(() => {
  for (const button of document.querySelectorAll("[data-copied]")) {
    const field = button.closest(".to-copy").querySelector("input, .address");
    const text = field.value ?? field.textContent.trim();
    button.hidden = false;
    button.onclick = async () => {
      // A player who changes their mind has shared nothing, and that is no error.
      if (button.hasAttribute("data-shares") && navigator.share) return navigator.share({ url: text }).catch(() => {});
      if (field.select) field.select();
      else getSelection().selectAllChildren(field);
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        if (!document.execCommand("copy")) return;
      }
      button.textContent = button.dataset.copied;
    };
  }
})();
