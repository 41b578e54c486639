/**
 * A small single-page shop: pages by `?page=`, drawn with text nodes, and a button that swaps the whole body the way
 * some page-transition libraries do. Knows nothing of the chat.
 */
(() => {
  const pages = {
    lamps: ['Lamps', 'tide-lamp', 'Tide table lamp, €\u00a0185. Stoneware foot, raw linen shade.'],
    ceramics: [
      'Ceramics',
      'skerry-bowls',
      'Skerry bowls, €\u00a096 for three. They nest, stack and go in the oven.',
    ],
    visit: ['Visit us', 'night-vase', 'The shed is open on Saturdays, 10 to 16. Mind the cat.'],
  };
  let swaps = 0;

  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const current = () => {
    const asked = new URLSearchParams(location.search).get('page');
    return asked && Object.hasOwn(pages, asked) ? asked : 'lamps';
  };
  const go = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, '', event.currentTarget.href);
    draw();
    document.querySelector('h1')?.focus();
  };

  function content() {
    const page = current();
    const [title, art, text] = pages[page];
    document.title = `${title} · Northlight`;
    const links = Object.keys(pages).map((name) => {
      const link = make('a', { href: `?page=${name}`, onclick: go }, pages[name][0]);
      if (name === page) link.setAttribute('aria-current', 'page');
      return link;
    });
    const nav = make('nav', { ariaLabel: 'Main' }, ...links);
    const swap = make(
      'button',
      { type: 'button', className: 'button', onclick: swapBody },
      'Swap the whole body',
    );
    return [
      make('header', { className: 'top' }, make('a', { className: 'brand', href: '/' }, 'Northlight'), nav),
      make(
        'main',
        { className: 'sheet' },
        make('h1', { tabIndex: -1 }, title),
        make('img', { src: `/art/${art}.svg`, alt: '', width: 400, height: 440 }),
        make('p', { className: 'lead' }, text),
        make('p', {}, 'Every link above replaces the body’s content; the button replaces the body itself.'),
        make('p', { role: 'status' }, swaps ? `The body has been swapped ${swaps} times.` : ''),
        swap,
      ),
    ];
  }
  function draw() {
    document.body.replaceChildren(...content());
  }
  function swapBody() {
    swaps += 1;
    document.body.replaceWith(make('body', {}, ...content()));
    document.querySelector('main .button')?.focus();
  }

  addEventListener('popstate', draw);
  draw();
})();
