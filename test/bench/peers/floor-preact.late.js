/** The window of the floor in Preact. */
import { Component, createRef, h, render } from 'preact';

class Window extends Component {
  state = { rows: [], hidden: false };
  field = createRef();
  list = createRef();
  add = (texts) => this.setState(({ rows }) => ({ rows: [...rows, ...texts] }));
  componentDidMount() {
    window.benchFeed = this.add;
    this.field.current.focus();
  }
  componentDidUpdate() {
    this.list.current.scrollTop = this.list.current.scrollHeight;
  }
  keyDown = (event) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    this.add([event.currentTarget.value]);
    event.currentTarget.value = '';
  };
  render() {
    return h('div', { class: 'window', hidden: this.state.hidden }, [
      h(
        'ol',
        { ref: this.list },
        this.state.rows.map((text, i) => h('li', { key: i }, text)),
      ),
      h('textarea', { ref: this.field, 'aria-label': 'Message', onKeyDown: this.keyDown }),
    ]);
  }
}

let shown;

export function open(root) {
  if (!shown)
    return render(h(Window, { ref: (it) => (shown = it) }), root.appendChild(document.createElement('div')));
  shown.setState(
    ({ hidden }) => ({ hidden: !hidden }),
    () => shown.field.current.focus(),
  );
}
