/**
 * Gives the visitor a file that was made here. In an app, which has no downloads, the app does where it is ours, and
 * else the sheet of its system, if it shares files.
 */

/** An iPad says that it is a Mac, and no Mac can be touched. */
export const agent = () => `${navigator.userAgent},${navigator.maxTouchPoints}`;

/** A web view: on Android it says so; on an iPhone only a browser names a version, its own or that of Chrome, Firefox… */
export const isApp = () => /; wv\)|^(?!.*(Version|iOS\/)).*(iP|Mac.*,[1-9])/.test(agent());

export const canSave = () =>
  !!window.parleyBridge ||
  !isApp() ||
  !!navigator.canShare?.({ files: [fileOf('a.txt', 'text/plain', '-')] });

/** @returns false when it could not, undefined when the visitor did not want it after all */
export async function save(name: string, type: string, text: string): Promise<boolean | undefined> {
  const file = fileOf(name, type, text);
  if (window.parleyBridge) window.parleyBridge.save({ name, mediaType: type, text });
  else if (isApp())
    try {
      await navigator.share({ files: [file] });
    } catch (error) {
      return error instanceof Error && error.name === 'AbortError' ? undefined : false;
    }
  else {
    const url = URL.createObjectURL(file);
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    // The browser has taken it by then.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }
  return true;
}

const fileOf = (name: string, type: string, text: string) => new File([text], name, { type });
