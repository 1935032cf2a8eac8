/* Where the phone can pass an address on, "Share" does; elsewhere it is a link to the picture of the score. */
document.addEventListener("click", (event) => {
  if (!navigator.share || !event.target.closest("[data-share]")) return;
  event.preventDefault();
  // Whoever changes their mind has shared nothing, and that is no error.
  navigator.share({ title: document.title, url: location.href.split("?")[0] }).catch(() => {});
});
