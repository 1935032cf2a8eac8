/* Addresses are copied by a tap; where the browser refuses, the selected text can be copied by hand. */
(() => {
  for (const button of document.querySelectorAll("[data-copied]")) {
    const field = button.parentElement.querySelector("input");
    button.hidden = false;
    button.onclick = async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        if (!document.execCommand("copy")) return;
      }
      button.textContent = button.dataset.copied;
    };
  }
})();
