// What a page is made of: the addresses of its scripts, styles and pictures, of what lies in its templates, too, and isn't seen yet.

function filesOf(page) {
  const named = [...page.querySelectorAll("script[src], link[rel=stylesheet], use")].map((part) => part.getAttribute("src") ?? part.getAttribute("href"));
  const inside = [...page.querySelectorAll("template")].flatMap(({ content }) => filesOf(content));
  return [...new Set([...named.map((address) => address.replace(/#.*/, "")), ...inside])];
}
