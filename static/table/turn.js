/* "Your turn" in the tab's title and icon, for a player whose tab is not in front; with a sound or a
   notification only if switched on. The switches in the menu show the current state. */
(() => {
  const { turn, icon } = document.getElementById("live").dataset;
  const link = document.querySelector("link[rel='icon']");
  const plain = { title: document.title, icon: link.href };
  const sound = document.getElementById("call-sound");
  const notice = document.getElementById("call-notice");
  const mayNotify = window.isSecureContext && "Notification" in window;
  const isMine = () => Boolean(document.querySelector("#board .mine.to-act"));
  let was = null;
  let audio = null;

  const say = (button, state) => {
    button.setAttribute("aria-checked", state === "on" || state === "wait");
    button.disabled = state === "never";
    button.querySelector("small").textContent = button.dataset[state];
  };
  const show = () => {
    const heard = audio?.state === "running" ? "on" : "wait";
    say(sound, !window.AudioContext ? "never" : memory.callSound === "yes" ? heard : "off");
    const allowed = mayNotify && Notification.permission;
    const wanted = memory.callNotice === "yes" && allowed === "granted";
    say(notice, !mayNotify ? "never" : allowed === "denied" ? "blocked" : wanted ? "on" : "off");
  };

  const ring = () => {
    const note = audio.createOscillator();
    const now = audio.currentTime;
    note.frequency.setValueAtTime(660, now);
    note.frequency.setValueAtTime(880, now + 0.2);
    note.connect(audio.destination);
    note.start();
    note.stop(now + 0.5);
  };
  // Browsers play no sound before the first touch.
  const wake = async () => {
    if (!window.AudioContext || memory.callSound !== "yes") return;
    audio ??= new AudioContext();
    await audio.resume();
    show();
  };

  const notify = async () => {
    const told = { body: plain.title, tag: location.pathname, icon: plain.icon };
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) return worker.showNotification(turn, told);
    new Notification(turn, told).onclick = () => window.focus();
  };

  const follow = () => {
    const mine = isMine();
    if (mine === was) return;
    document.title = mine ? `${turn} · ${plain.title}` : plain.title;
    link.href = mine ? icon : plain.icon;
    if (mine && was === false) {
      if (memory.callSound === "yes" && audio?.state === "running") ring();
      if (document.hidden && notice.getAttribute("aria-checked") === "true") notify().catch(() => {});
    }
    was = mine;
  };

  sound.addEventListener("click", async () => {
    memory.callSound = memory.callSound === "yes" ? "no" : "yes";
    await wake();
    show();
    if (memory.callSound === "yes") ring();
  });
  notice.addEventListener("click", async () => {
    const on = notice.getAttribute("aria-checked") === "true";
    memory.callNotice = !on && (await Notification.requestPermission()) === "granted" ? "yes" : "no";
    show();
  });
  document.addEventListener("click", wake);
  document.addEventListener("board:drawn", follow);

  sound.hidden = notice.hidden = false;
  show();
  follow();
})();
