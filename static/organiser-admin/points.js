/* The score at the top of a match's page in the admin: + and − beside each number, and the resulting total.
   Without this script the number is typed. */
(() => {
  for (const row of document.querySelectorAll(".admin-points tr")) {
    const field = row.querySelector("input");
    const sum = row.querySelector("output");
    if (!field) continue;
    const show = () => {
      const change = Number(field.value) || 0;
      sum.hidden = !change;
      sum.textContent = `→ ${Number(row.querySelector(".admin-sum b").textContent) + change}`;
    };
    for (const button of row.querySelectorAll("[data-step]")) {
      button.hidden = false;
      button.addEventListener("click", () => {
        const change = (Number(field.value) || 0) + Number(button.dataset.step);
        field.value = Math.max(field.min, Math.min(field.max, change)) || "";
        show();
      });
    }
    field.addEventListener("input", show);
    show();
  }
})();
