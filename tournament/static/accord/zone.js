// The time zone of this browser, for a salon that is opened.
const zone = document.querySelector('input[name="time_zone"]');
if (zone && !zone.value) {
  zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}
