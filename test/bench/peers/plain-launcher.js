/** The button an owner would write for a chat that comes without one. */
export function launcher(onPress) {
  const button = document.createElement('button');
  button.className = 'launcher';
  button.setAttribute('aria-label', 'Chat');
  button.style.cssText = 'position:fixed;right:20px;bottom:20px;width:56px;height:56px;border-radius:50%';
  button.onclick = onPress;
  document.body.append(button);
}
