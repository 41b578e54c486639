/** The window of the floor in plain DOM. */
let list;
let field;
let box;

function append(...texts) {
  for (const text of texts) {
    const row = document.createElement('li');
    row.textContent = text;
    list.append(row);
  }
  list.scrollTop = list.scrollHeight;
}

function make(root) {
  box = document.createElement('div');
  box.className = 'window';
  list = document.createElement('ol');
  field = document.createElement('textarea');
  field.setAttribute('aria-label', 'Message');
  field.onkeydown = (event) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    append(field.value);
    field.value = '';
  };
  box.append(list, field);
  root.append(box);
  window.benchFeed = (texts) => append(...texts);
}

export function open(root) {
  if (box) box.hidden = !box.hidden;
  else make(root);
  field.focus();
}
