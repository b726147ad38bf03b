// What this phone is called, in a cookie that goes with what it records (phone_names.py).

const NAMED = 12 * 60 * 60; // seconds

const nameForm = document.getElementById("phone-name");
const nameNow = () => decodeURIComponent(/(?:^|; )phone=([^;]*)/.exec(document.cookie)?.[1] ?? "");

nameForm.elements.name.value = nameNow();

nameForm.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = encodeURIComponent(nameForm.elements.name.value.trim());
  document.cookie = `phone=${name}; path=/; max-age=${name ? NAMED : 0}; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  document.getElementById("phone-name-saved").hidden = false;
});
