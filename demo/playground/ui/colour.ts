/** A colour in any notation as this browser reads it. Knows no theme. */

/** @returns `rgb(…)`, or whatever the browser says of a colour that no screen of bytes has; nothing for what is none */
export function asBytes(colour: string): string | undefined {
  if (!CSS.supports('color', colour)) return undefined;
  const probe = document.createElement('i');
  probe.style.color = colour;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

export function asHex(colour: string): string | undefined {
  const parts = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(asBytes(colour) ?? '')?.slice(1);
  return parts && `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}
