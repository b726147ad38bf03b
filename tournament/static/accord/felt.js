// A tap that counted is felt and seen: a short buzz, and a flash over its key. What was stopped on the way (taps.js) isn't.

const BUZZ = 12; // milliseconds
const COUNTED = ":is(#pad, #packacts, #packsheet) :is(.key, .btn--act, .claims .btn, .dock .btn, [data-keep] .btn)";

document.addEventListener("click", ({ target }) => {
  const key = target.closest?.(COUNTED);
  if (!key || key.disabled) return;
  navigator.vibrate?.(BUZZ);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { left, top, width, height } = key.getBoundingClientRect();
  const flash = Object.assign(document.createElement("i"), { className: "flash" });
  flash.setAttribute("aria-hidden", "true");
  for (const [name, value] of Object.entries({ left, top, width, height })) flash.style.setProperty(name, `${value}px`);
  flash.addEventListener("animationend", () => flash.remove());
  document.body.append(flash);
});
