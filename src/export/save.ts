/** Gives the visitor a file that was made here; in an app, which has no downloads, the app does. */

export function save(name: string, type: string, text: string): void {
  if (window.parleyBridge) {
    window.parleyBridge.save({ name, mediaType: type, text });
    return;
  }
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
