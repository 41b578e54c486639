/** The launcher, the window before the first message, and what stands around the thread. */
import { people } from './people.js';
import { at, mine, rows, theirs } from './rows.js';

const short = (t) => {
  const { ada } = people(t);
  return rows(
    mine('14:02', t('Hello! Is the Tide lamp still in stock?', 'مرحبًا! هل مصباح المد متوفر؟')),
    theirs('14:04', t('Hi! Yes, three are left.', 'أهلًا! نعم، بقي ثلاثة.'), ada),
    theirs('14:04', t('Would you like me to put one aside?', 'هل أحجز لك واحدًا؟'), ada),
    mine('14:06', t('Yes please, the blue one.', 'نعم من فضلك، الأزرق.'), { mark: 'seen' }),
  );
};

const fields = (t) =>
  JSON.stringify([
    { name: 'name', type: 'text', required: true },
    { name: 'email', type: 'email', required: true },
    {
      name: 'topic',
      type: 'select',
      label: t('What is it about?', 'ما الموضوع؟'),
      options: [t('An order', 'طلب'), t('A repair', 'تصليح'), t('Something else', 'شيء آخر')],
    },
    {
      name: 'consent',
      type: 'consent',
      label: t('I agree to the privacy policy.', 'أوافق على سياسة الخصوصية.'),
    },
  ]);

const menu = ({ press }) => press('.menu-button', '.menu');
const screen =
  (index, wanted = '.screen') =>
  async (tools) => {
    await menu(tools);
    await tools.press(`.menu button:nth-of-type(${index})`, wanted);
  };

export const around = {
  launcher: () => ({ closed: true }),
  'launcher-news': (t) => {
    const { ada, tore } = people(t);
    const news = [
      theirs('14:04', t('Your lamp is ready.', 'مصباحك جاهز.'), ada),
      theirs(
        '14:05',
        t(
          'We have packed it in paper and wool, and it leaves on Thursday with the morning boat to Stavanger.',
          'غلّفناه بالورق والصوف وسيغادر يوم الخميس مع قارب الصباح إلى ستافنغر في أقصى الجنوب.',
        ),
        tore,
      ),
    ];
    return { closed: true, news: news.map(({ message }) => message) };
  },
  'launcher-outreach': (t) => ({
    closed: true,
    rows: [],
    known: [],
    written: {
      // On memory they do not come.
      storage: 'session',
      title: t('Northlight', 'نورثلايت'),
      outreach: t(
        'Hello! Our lamps are made by hand in Bergen. Is there one that you would like to know more about?',
        'مرحبًا! مصابيحنا مصنوعة يدويًا في بيرغن. هل تود معرفة المزيد عن أحدها؟',
      ),
      outreachAfter: 0,
    },
  }),
  loading: () => ({ rows: undefined, known: undefined }),
  empty: () => ({ rows: [], known: [] }),
  'empty-greeting': (t) => ({
    rows: [],
    known: [],
    written: {
      title: t('Northlight', 'نورثلايت'),
      greeting: t(
        'Hello! Ask us anything about lamps and stoneware. One of the four of us answers.',
        'مرحبًا! اسألنا ما تشاء عن المصابيح والخزف. سيجيبك واحد منا نحن الأربعة.',
      ),
    },
  }),
  'open-hours': () => ({ rows: [], known: [], hours: { open: true }, written: { replyMinutes: '10' } }),
  'closed-hours': () => ({
    rows: [],
    known: [],
    hours: { open: false, backAt: at('9:00') + 2 * 86_400_000 },
  }),
  questions: (t) => ({ rows: [], known: [], written: { preChat: fields(t) }, until: '.questions' }),
  'questions-problems': (t) => ({
    rows: [],
    known: [],
    written: { preChat: fields(t) },
    async after({ press, type }) {
      await type('#ask-1', 'ada@');
      await press('.questions .go', '.questions [aria-invalid=true]');
    },
  }),
  draft: (t) => ({
    rows: short(t),
    draft: t(
      'One more thing: the shelf in our hall is 38 cm deep, and there is a socket on the left.\n\nWould the lamp with the large shade still fit there?',
      'أمر آخر: الرف في المدخل عمقه 38 سم وهناك مقبس على اليسار.\n\nهل يناسبه المصباح ذو الغطاء الكبير؟',
    ),
  }),
  offline: (t) => ({ rows: short(t), line: 'down', offline: true }),
  unavailable: (t) => ({ rows: short(t), troubles: ['unavailable'] }),
  'not-kept': (t) => ({ rows: short(t), troubles: ['notKept'] }),
  menu: (t) => ({ rows: short(t), status: 'open', after: menu }),
  conversations: (t) => {
    const { ada, tore, photo } = people(t);
    const line = (id, words, sender, time, more) => ({
      id,
      status: 'open',
      last: words ? (sender ? theirs(time, words, sender) : mine(time, words)).message : undefined,
      unread: 0,
      current: false,
      ...more,
    });
    return {
      rows: short(t),
      status: 'open',
      conversations: [
        line(7, t('Yes please, the blue one.', 'نعم من فضلك، الأزرق.'), undefined, '14:06', {
          current: true,
        }),
        line(
          6,
          t(
            'The glaze needs one more firing, it will be with you on Friday.',
            'الطلاء يحتاج حرقًا آخر وسيصلك يوم الجمعة إن شاء الله.',
          ),
          tore,
          '11:30',
          { unread: 2 },
        ),
        line(
          4,
          t('Thank you for the photo! We will mend it.', 'شكرًا على الصورة! سنصلحه.'),
          photo,
          '-6 16:20',
          { status: 'resolved' },
        ),
        line(3, '', ada, '-40 10:11', { status: 'resolved' }),
      ],
      after: screen(1, '.lines'),
    };
  },
  'conversations-none': () => ({ rows: [], known: [], conversations: [], after: screen(1) }),
  ended: (t) => ({ rows: short(t), status: 'resolved', until: '.ended' }),
  'end-chat': (t) => ({ rows: short(t), status: 'open', after: screen(3) }),
  'what-we-keep': (t) => ({ rows: short(t), status: 'open', after: screen('last', '.kept') }),
  'forget-me': (t) => ({
    rows: short(t),
    status: 'open',
    async after(tools) {
      await screen('last', '.kept li')(tools);
      await tools.press('.page .danger', '.go.danger');
    },
  }),
};
