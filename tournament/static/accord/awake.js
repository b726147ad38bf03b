// The screen stays on while a game is open and its page is seen: by a wake lock where the browser has one, which needs a secure
// connection; elsewhere by a video that is made here, shows nothing and says nothing, and plays from the first touch on. Where the
// browser refuses that too, the page says so.

(() => {
  const OPEN = "#pad [data-open], #packsheet"; // what a page has whose screen is to stay on
  const hasLock = Boolean(navigator.wakeLock);
  let video;
  let sound;
  let state = hasLock ? "" : "waits"; // for the first touch; "plays", "dark"

  function say(now = state) {
    state = now;
    for (const note of document.querySelectorAll("[data-awake]")) note.hidden = note.dataset.awake !== state;
  }

  // A picture of one colour, and a track without a sound: a browser lets the screen go dark over a small video that has none.
  function blankVideo() {
    const canvas = Object.assign(document.createElement("canvas"), { width: 2, height: 2 });
    canvas.getContext("2d").fillRect(0, 0, 2, 2);
    sound = new AudioContext();
    const tracks = [...canvas.captureStream(1).getTracks(), ...sound.createMediaStreamDestination().stream.getTracks()];
    const made = Object.assign(document.createElement("video"), { className: "awake", playsInline: true, srcObject: new MediaStream(tracks) });
    made.setAttribute("aria-hidden", "true");
    made.tabIndex = -1;
    document.body.append(made);
    return made;
  }

  async function play() {
    try {
      video ??= blankVideo();
      await Promise.all([video.play(), sound.resume()]);
      say("plays");
    } catch {
      if (!document.hidden) say("dark");
    }
  }

  function rest() {
    video?.pause();
    sound?.suspend();
  }

  async function look() {
    say();
    const isOn = !document.hidden && document.querySelector(OPEN);
    if (!isOn) rest();
    else if (hasLock) await navigator.wakeLock.request("screen").catch(() => undefined); // the battery is low, the system forbids it
    else if (video) await play();
  }

  // A touch lets it play, also after something else stopped it.
  document.addEventListener("click", () => !hasLock && (video?.paused ?? true) && document.querySelector(OPEN) && play(), true);
  document.addEventListener("visibilitychange", look);
  document.addEventListener("htmx:afterSettle", ({ target }) => target.id === "pad" && look());
  look();
})();
