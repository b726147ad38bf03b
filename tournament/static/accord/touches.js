// Whether a tap on a key counts: judged by when and where the finger came down, never by when the page came round to it.

const touches = (() => {
  const TWICE = 250; // milliseconds: a second touch of the same key or spot so soon was no second tap
  const SPOT = 16; // pixels: two touches no further apart are on one spot
  const ASLEEP = 300; // milliseconds for which a question of another kind takes no tap

  const down = new Map(); // the touches that are no click yet, by their pointer
  let last = { name: "", at: -Infinity, x: -Infinity, y: -Infinity }; // the last touch that counted, or was one too many
  let awakeAt = -Infinity;
  let waking;

  const isNear = (one, other) => Math.abs(one.x - other.x) <= SPOT && Math.abs(one.y - other.y) <= SPOT;

  // nameAt: the name of the key at a target, or "".
  function watch(nameAt) {
    document.addEventListener(
      "pointerdown",
      ({ pointerId, pointerType, timeStamp, clientX, clientY, target }) => {
        const isFinger = pointerType !== "mouse";
        const touch = { at: timeStamp, x: clientX, y: clientY, isFinger, name: nameAt(target), shown: "" };
        down.set(pointerId, touch);
        if (!isNear(touch, last)) last = { ...last, x: NaN, y: NaN }; // the finger has been elsewhere since
      },
      true,
    );
    document.addEventListener("pointercancel", ({ pointerId }) => down.delete(pointerId), true);
  }

  function touchOf(event) {
    const touch = down.get(event.pointerId) ?? (event.pointerId === undefined && event.detail ? [...down.values()].at(-1) : undefined);
    down.delete(event.pointerId);
    return touch ?? { at: event.timeStamp, x: NaN, y: NaN, name: null, shown: "" }; // by a key, or by a screen reader
  }

  // "counts"; "twice": the second tap of a double one; "late": meant for what stood there before.
  function judge(event, name) {
    if (!event.isTrusted) return "counts";
    const touch = touchOf(event);
    const isSoon = touch.at - last.at < TWICE;
    const isAgain = event.detail > 1 || (isSoon && touch.isFinger); // of a mouse the browser itself says so
    const isTwice = (isSoon && name === last.name) || (isNear(touch, last) && isAgain);
    const isMissed = touch.shown === "otherwise" || (touch.shown && touch.name !== name);
    const isLate = isMissed || (event.detail > 0 && touch.at < awakeAt);
    if (isTwice || !isLate) last = { ...touch, name };
    return isTwice ? "twice" : isLate ? "late" : "counts";
  }

  // Another question has come: as the answer to a tap, or otherwise; part holds its keys.
  function shown(part, { isAnswer, isOtherKind }) {
    for (const touch of down.values()) touch.shown ||= isAnswer ? "answer" : "otherwise";
    if (!isOtherKind) return;
    awakeAt = performance.now() + ASLEEP;
    clearTimeout(waking);
    part.dataset.asleep = ""; // htmx sets classes anew once the page has settled
    waking = setTimeout(() => delete part.dataset.asleep, ASLEEP);
  }

  return { watch, judge, shown };
})();
