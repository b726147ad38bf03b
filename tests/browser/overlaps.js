// Lines of text that lie over one another, and texts that stick out of the window: what a page at twice the size must not have.
() => {
  const covers = (part) => part.closest(".dock, .nav, .vh, .skip, .padstate--stay, .preview--dock, [hidden], svg, template");
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: text } = walker, part = text.parentElement;
    if (!text.textContent.trim() || covers(part) || !part.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      const inset = box.height * 0.24; // ascenders and descenders may meet
      if (box.width > 2) lines.push({ said: text.textContent.trim().slice(0, 30), part, left: box.left + 1, right: box.right - 1, top: box.top + inset, bottom: box.bottom - inset });
    }
  }
  const scrolls = (part) => part.closest(".scroll, .tabs, .calls--seq, .nav");
  const found = lines.filter(({ right, part }) => right > innerWidth + 1 && !scrolls(part)).map(({ said }) => `sticks out: ${said}`);
  lines.forEach((one, place) => {
    for (const other of lines.slice(place + 1)) {
      const apart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
      if (!apart) found.push(`${one.said} / ${other.said}`);
    }
  });
  return found;
}
