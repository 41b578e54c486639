/** Interactive messages, before and after they are answered. */
import { people } from './people.js';
import { mine, rows, theirs } from './rows.js';

const ask = (t, type, content, attributes) =>
  theirs('14:04', content, people(t).bot, { content_type: type, attributes });
const hello = (t) => mine('14:02', t('Hello, a question about my order.', 'مرحبًا، سؤال عن طلبي.'));

const options = (t) => [
  { title: t('Where is my parcel?', 'أين طردي؟'), value: 'parcel' },
  { title: t('Something is broken', 'شيء مكسور'), value: 'broken' },
  { title: t('Change the address', 'تغيير العنوان'), value: 'address' },
  { title: t('Other', 'غير ذلك'), value: 'other' },
];
const choice = (t, more) =>
  ask(t, 'input_select', t('What can we do for you?', 'كيف نساعدك؟'), { items: options(t), ...more });

const items = (t) => [
  {
    name: 'number',
    type: 'text',
    label: t('Order number', 'رقم الطلب'),
    placeholder: 'NL-1024',
    required: true,
    regex: '^NL-\\d+$',
  },
  { name: 'mail', type: 'email', label: t('Email', 'البريد الإلكتروني'), required: true },
  {
    name: 'piece',
    type: 'select',
    label: t('Which piece?', 'أي قطعة؟'),
    options: [
      { label: t('Tide table lamp', 'مصباح المد'), value: 'tide' },
      { label: t('Ember mug', 'كوب الجمر'), value: 'ember' },
    ],
  },
  { name: 'story', type: 'text_area', label: t('What happened?', 'ماذا حدث؟') },
  { name: 'keep', type: 'checkbox', label: t('I still have the box', 'ما زال الصندوق لدي') },
];
const form = (t, more) =>
  ask(t, 'form', t('Tell us about it, please:', 'أخبرنا من فضلك:'), { items: items(t), ...more });
const rate = (t, more) =>
  ask(t, 'input_csat', t('How was this conversation?', 'كيف كانت هذه المحادثة؟'), {
    display_type: 'emoji',
    ...more,
  });

export const asked = {
  'quick-replies': (t) => ({ rows: rows(hello(t), choice(t)), until: '.choices button' }),
  'quick-reply-given': (t) => ({
    rows: rows(hello(t), choice(t, { submitted_values: [{ title: options(t)[1].title, value: 'broken' }] })),
    until: '.chosen',
  }),
  form: (t) => ({ rows: rows(form(t)), until: '.entry' }),
  'form-problems': (t) => ({ rows: rows(form(t)), after: ({ press }) => press('.go', '.wrong') }),
  'form-answered': (t) => ({
    rows: rows(
      hello(t),
      form(t, {
        submitted_values: [
          { name: 'number', value: 'NL-1024' },
          { name: 'mail', value: 'ada@example.com' },
          { name: 'piece', value: 'tide' },
          { name: 'story', value: t('The shade came off.\nNobody was hurt.', 'سقط الغطاء.\nلم يُصب أحد.') },
          { name: 'keep', value: true },
        ],
      }),
    ),
    until: '.done',
  }),
  'email-question': (t) => ({
    rows: rows(
      hello(t),
      ask(t, 'input_email', t('Where can we reach you if you leave?', 'أين نجدك إن غادرت؟'), {}),
    ),
    until: '.entry',
  }),
  cards: (t) => ({
    rows: rows(
      hello(t),
      ask(t, 'cards', t('These two are close to it:', 'هذان قريبان منه:'), {
        items: [
          {
            title: t('Tide table lamp', 'مصباح المد'),
            description: t(
              'Stoneware foot, raw linen shade. The glaze pools a little differently on each.',
              'قاعدة من الخزف وغطاء من الكتان. يختلف الطلاء قليلًا من قطعة إلى أخرى.',
            ),
            media_url: `${location.origin}/art/tide-lamp.svg`,
            actions: [
              { type: 'link', text: t('Look at it', 'شاهده'), uri: `${location.origin}/#lamps` },
              { type: 'postback', text: t('Put one aside', 'احجز واحدًا'), payload: 'aside' },
            ],
          },
          {
            title: t('Moth wall light', 'مصباح الفراشة'),
            description: t('Two wings of thin porcelain.', 'جناحان من البورسلين الرقيق.'),
            media_url: `${location.origin}/art/moth-light.svg`,
            actions: [{ type: 'link', text: t('Look at it', 'شاهده'), uri: `${location.origin}/#lamps` }],
          },
        ],
      }),
    ),
    until: '.cards',
  }),
  articles: (t) => ({
    rows: rows(
      hello(t),
      ask(t, 'article', t('These pages may help:', 'قد تفيدك هذه الصفحات:'), {
        items: [
          {
            title: t('Delivery and returns', 'التوصيل والإرجاع'),
            description: t(
              '€ 9 within Europe, sixty days, no reasons needed.',
              '9 € داخل أوروبا، ستون يومًا دون إبداء الأسباب.',
            ),
            link: `${location.origin}/#delivery`,
          },
          {
            title: t('Caring for stoneware', 'العناية بالخزف'),
            description: t(
              'Oven, dishwasher, and what to do about tea.',
              'الفرن وغسالة الصحون وما العمل مع الشاي.',
            ),
            link: `${location.origin}/#ceramics`,
          },
        ],
      }),
    ),
    until: '.cards',
  }),
  rating: (t) => ({ rows: rows(hello(t), rate(t)), until: '.faces' }),
  'rating-chosen': (t) => ({
    rows: rows(hello(t), rate(t)),
    after: ({ press }) => press('.faces label:nth-child(4) input', '.entry textarea'),
  }),
  'rating-given': (t) => ({
    rows: rows(
      hello(t),
      rate(t, {
        submitted_values: {
          csat_survey_response: {
            rating: 5,
            feedback_message: t('Quick, and very kind.', 'سريع ولطيف جدًا.'),
          },
        },
      }),
    ),
    until: '.rated',
  }),
  'rating-stars': (t) => ({
    rows: rows(hello(t), rate(t, { display_type: 'star' })),
    after: ({ press }) => press('.faces label:nth-child(4) input', '.entry textarea'),
  }),
  'rating-stars-given': (t) => ({
    rows: rows(
      hello(t),
      rate(t, { display_type: 'star', submitted_values: { csat_survey_response: { rating: 4 } } }),
    ),
    until: '.rated',
  }),
};
