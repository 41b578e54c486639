/** What a conversation of words can look like. */
import { people } from './people.js';
import { at, mine, rows, theirs, unsent } from './rows.js';

const opening = (t) => {
  const { ada } = people(t);
  return [
    mine('14:02', t('Hello! Is the Tide lamp still in stock?', 'مرحبًا! هل مصباح المد متوفر؟')),
    theirs('14:04', t('Hi! Yes, three are left.', 'أهلًا! نعم، بقي ثلاثة.'), ada),
    theirs('14:04', t('Would you like me to put one aside?', 'هل أحجز لك واحدًا؟'), ada),
  ];
};

const many = (t, count) => {
  const { ada, tore } = people(t);
  const words = [
    t('How long does the glaze take to dry?', 'كم يحتاج الطلاء ليجف؟'),
    t(
      'About two days in winter. We never hurry it, because it cracks.',
      'يومان تقريبًا في الشتاء. لا نستعجله لأنه يتشقق.',
    ),
    t('Good to know.', 'حسنًا.'),
    t('And the second firing is another night.', 'والحرق الثاني ليلة أخرى.'),
  ];
  const from = at('8:00') - count * 7 * 60_000;
  return Array.from({ length: count }, (_, i) => {
    const time = from + i * 7 * 60_000;
    return i % 3 ? theirs(time, words[i % 4], i % 5 ? ada : tore) : mine(time, words[i % 4]);
  });
};

export const thread = {
  conversation: (t) => ({
    rows: rows(
      opening(t),
      mine('14:06', t('Yes please, the blue one.', 'نعم من فضلك، الأزرق.'), { mark: 'sent' }),
    ),
  }),
  'days-and-groups': (t) => {
    const { ada, tore, photo, bot } = people(t);
    return {
      rows: rows(
        mine('-9 16:40', t('A mug arrived with a chip in the rim.', 'وصل كوب وحافته مكسورة.')),
        theirs(
          '-9 16:40',
          t('Thanks for writing! Somebody answers within the hour.', 'شكرًا لرسالتك! سيجيبك أحدنا خلال ساعة.'),
          bot,
        ),
        theirs('-9 17:02', t('Oh no, I am sorry!', 'يا إلهي، أعتذر!'), tore),
        theirs('-9 17:02', t('Can you send us a photo of it?', 'هل ترسل لنا صورة له؟'), tore),
        mine('-1 9:12', t('Here it is, better late than never.', 'ها هي، أن تصل متأخرة خير من ألا تصل.')),
        theirs('-1 9:30', t('We make it again for you, free of charge.', 'سنصنعه لك من جديد مجانًا.'), photo),
        mine('-1 9:31', t('That is very kind!', 'هذا لطف كبير!')),
        theirs('11:05', t('It is in the kiln now.', 'إنه في الفرن الآن.'), ada),
        mine('11:20', t('Wonderful.', 'رائع.'), { mark: 'delivered' }),
      ),
    };
  },
  'long-answer': (t) => {
    const { ada } = people(t);
    return {
      rows: rows(
        mine('14:10', t('How do I wire the pendant?', 'كيف أوصل الثريا؟')),
        theirs(
          '14:15',
          t(
            '**Before you begin**\nSwitch off the **main fuse** and check twice. Then:\n\n1. Feed the cable through the _canopy_\n2. Join the wires by colour:\n   - brown to brown\n   - blue to blue\n3. Screw the canopy to the hook\n\n> A lamp heavier than 5 kg needs a hook in the beam, not in the plaster.\n\nThe dimmer takes this line in its settings:\n\n```\nmode=trailing-edge; min=12%; max=100%; fade=soft; remember=last; night=dim\n```\n\nAll of it with pictures: [the fitting guide](https://northlight.example.com/fitting) or https://northlight.example.com/guides/pendants/fjord/large/brass',
            '**قبل أن تبدأ**\nافصل **القاطع الرئيسي** وتأكد مرتين. ثم:\n\n1. مرر السلك عبر _الغطاء_\n2. صل الأسلاك حسب اللون:\n   - البني بالبني\n   - الأزرق بالأزرق\n3. ثبت الغطاء في الخطاف\n\n> المصباح الأثقل من 5 كغ يحتاج خطافًا في العارضة لا في الجبس.\n\nيأخذ المخفّت هذا السطر في إعداداته:\n\n```\nmode=trailing-edge; min=12%; max=100%; fade=soft; remember=last; night=dim\n```\n\nكل ذلك بالصور: [دليل التركيب](https://northlight.example.com/fitting) أو https://northlight.example.com/guides/pendants/fjord/large/brass',
          ),
          ada,
        ),
      ),
      until: '.blocks',
    };
  },
  table: (t) => {
    const { ada } = people(t);
    return {
      rows: rows(
        mine('14:17', t('What would three pendants cost to ship?', 'كم يكلف شحن ثلاث ثريات؟')),
        theirs(
          '14:18',
          t(
            'To Europe, for **three pendants**:\n\n| Way | Days | Price |\n|:----|:----:|------:|\n| Letter post | 9 | 12.50 |\n| Parcel, insured | 4 | 28.00 |\n| [Courier](https://northlight.example.com/courier) to the door, on the day you choose | 1 | 1,064.00 |\n\nPrices are in euro.',
            'إلى أوروبا، **لثلاث ثريات**:\n\n| الطريقة | الأيام | السعر |\n|:----|:----:|------:|\n| بريد عادي | 9 | 12.50 |\n| طرد مؤمَّن | 4 | 28.00 |\n| [ساعٍ](https://northlight.example.com/courier) إلى الباب في اليوم الذي تختاره | 1 | 1,064.00 |\n\nالأسعار باليورو.',
          ),
          ada,
        ),
        mine('14:19', t('And the sizes?', 'والمقاسات؟')),
        theirs(
          '14:20',
          t(
            '| | Height | Diameter | Weight | Cable |\n|---|--:|--:|--:|--:|\n| Fjord pendant | 320 mm | 410 mm | 2.4 kg | 3,000 mm |\n| Tide lamp | 540 mm | 260 mm | 1.9 kg | 1,800 mm |\n| Moth light | 180 mm | 180 mm | 0.6 kg | 2,500 mm |',
            '| | الارتفاع | القطر | الوزن | السلك |\n|---|--:|--:|--:|--:|\n| ثريا فيورد | 320 مم | 410 مم | 2.4 كغ | 3,000 مم |\n| مصباح تايد | 540 مم | 260 مم | 1.9 كغ | 1,800 مم |\n| ضوء الفراشة | 180 مم | 180 مم | 0.6 كغ | 2,500 مم |',
          ),
          ada,
        ),
      ),
      until: 'figure',
    };
  },
  'inline-code': (t) => {
    const { ada } = people(t);
    return {
      rows: rows(
        mine('14:20', t('What do I type into the code field?', 'ماذا أكتب في خانة الرمز؟')),
        theirs(
          '14:21',
          t(
            'Enter `WINTER-10` at the checkout, it is **not** case sensitive and works *once*.',
            'اكتب `WINTER-10` عند الدفع، وهو صالح **مرة** واحدة.',
          ),
          ada,
        ),
      ),
      until: 'code',
    };
  },
  typing: (t) => ({ rows: rows(opening(t)), typing: people(t).ada }),
  unread: (t) => {
    const { ada, tore } = people(t);
    const before = [...many(t, 8), ...opening(t)];
    const after = Array.from({ length: 16 }, (_, i) =>
      theirs(
        `15:${10 + i}`,
        i % 2
          ? t(
              'It has a linen shade, 32 cm wide, and two metres of cloth cable.',
              'له غطاء من الكتان بعرض 32 سم وسلك قماشي طوله متران.',
            )
          : t('I looked it up for you.', 'بحثت لك عنه.'),
        i < 12 ? ada : tore,
      ),
    );
    return { rows: rows(before, after), seen: before.at(-1).message.id, until: '.latest' };
  },
  older: (t) => ({
    rows: rows(many(t, 6)),
    hasOlder: true,
    verbs: { loadOlder: () => Promise.resolve({ ok: false, error: { kind: 'network' } }) },
    after: ({ press }) => press('.older button', '.older p'),
  }),
  'on-its-way': (t) => ({
    rows: rows(
      opening(t),
      unsent('14:06', t('Yes please, the blue one.', 'نعم من فضلك، الأزرق.'), 'uncertain'),
      unsent('14:06', t('And a set of bowls.', 'وطقم أوعية.'), 'sending'),
      unsent('14:07', t('Can you send both to Malta?', 'هل ترسلونهما إلى مالطا؟'), 'queued'),
    ),
  }),
  failed: (t) => ({
    rows: rows(
      opening(t),
      unsent('14:06', t('Yes please, the blue one.', 'نعم من فضلك، الأزرق.'), 'failed', { status: 422 }),
      unsent('14:08', t('Are you still there?', 'هل ما زلت هنا؟'), 'queued'),
    ),
  }),
  receipts: (t) => ({
    rows: rows(
      opening(t),
      mine('14:06', t('Yes please, the blue one.', 'نعم من فضلك، الأزرق.'), { mark: 'seen' }),
      mine('14:20', t('Is it the one with the short cable?', 'هل هو ذو السلك القصير؟')),
      mine('14:31', t('The doorbell rang, one moment.', 'رن الجرس، لحظة.'), { mark: 'delivered' }),
    ),
  }),
  'long-words': (t) => {
    const { ada } = people(t);
    const endless = {
      ...ada,
      id: 77,
      available_name: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh of the Northern Lights Workshop',
    };
    return {
      rows: rows(
        theirs('14:00', t('Good morning from all of us.', 'صباح الخير منا جميعًا.'), endless),
        mine('14:02', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'),
        theirs(
          '14:03',
          'https://northlight.example.com/very/long/address/without/any/end?with=parameters&and=more#fragment',
          endless,
        ),
        mine('14:04', '0'.repeat(120), { mark: 'sent' }),
      ),
      typing: endless,
      written: {
        title: t(
          'Northlight, lamps and stoneware from the boat shed in Bergen',
          'نورثلايت، مصابيح وخزف من مرفأ القوارب في مدينة بيرغن القديمة',
        ),
      },
    };
  },
  'deleted-and-quoted': (t) => {
    const { ada } = people(t);
    const question = mine(
      '14:02',
      t(
        'Does the large shade fit the small foot, or do I need another one?',
        'هل يناسب الغطاء الكبير القاعدة الصغيرة أم أحتاج أخرى؟',
      ),
    );
    const answer = theirs('14:05', t('It does, they share one thread.', 'يناسبها، لهما المسنن نفسه.'), ada, {
      attributes: { in_reply_to: question.message.id },
    });
    return {
      rows: rows(
        question,
        theirs('14:03', t('This message was deleted', 'حُذفت هذه الرسالة'), ada, {
          attributes: { deleted: true },
        }),
        answer,
        mine('14:06', t('Then I take it!', 'إذن آخذه!'), {
          mark: 'seen',
          attributes: { in_reply_to: answer.message.id },
        }),
      ),
      until: '.quote',
    };
  },
  'mixed-directions': (t) => {
    const { ada, tore } = people((english, arabic) => t(arabic, english));
    return {
      rows: rows(
        mine('14:01', 'שלום! האם המנורה Tide 2.0 במלאי?'),
        theirs('14:02', 'Yes, the نورثلايت lamp costs €185 (VAT 25 %).', ada),
        theirs('14:02', 'مرحبًا، السعر 185 € والتوصيل إلى Bergen مجاني!\nSecond line in English.', tore),
        mine('14:03', '+47 55 12 34 56'),
        mine('14:04', 'https://northlight.example.com/تركيب', { mark: 'sent' }),
        unsent('14:05', 'هذه لم تصل.', 'failed', { status: 413 }),
      ),
      draft: t('עוד שאלה אחת', 'One more question'),
    };
  },
  'ten-thousand': (t) => ({ rows: rows(many(t, 10_000)) }),
};
