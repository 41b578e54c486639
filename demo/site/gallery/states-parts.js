/** Messages with more than words, and what the composer opens. */
import { people } from './people.js';
import { mine, rows, theirs, unsent } from './rows.js';

let id = 1;
const file = (type, path, more = {}) => ({
  id: id++,
  file_type: type,
  data_url: `${location.origin}${path}`,
  meta: {},
  ...more,
});
const picture = (name, width, height) =>
  file('image', `/art/${name}.jpg`, { width, height, file_size: 48_000 });

const blank = (name, type, size) => new File([new Uint8Array(size)], name, { type });
const fetched = async (path, name, type) => new File([await (await fetch(path)).blob()], name, { type });

export const parts = {
  'pictures-and-files': (t) => {
    const { ada } = people(t);
    return {
      rows: rows(
        theirs('14:02', t('The blue one, in daylight:', 'الأزرق في ضوء النهار:'), ada, {
          attachments: [picture('tide-lamp', 400, 440)],
        }),
        mine('14:05', t('Here is our table, and the plan of the room.', 'هذه طاولتنا ومخطط الغرفة.'), {
          attachments: [
            picture('skerry-bowls', 400, 300),
            file('file', '/plans/ground-floor-of-the-house-by-the-fjord-2024-final.pdf', {
              file_size: 2_345_678,
              extension: 'pdf',
            }),
          ],
        }),
        theirs('14:06', '', ada, {
          attachments: [
            file('image', '', {
              data_url: 'https://pictures.example.net/moth.jpg',
              fallback_title: 'moth.jpg',
              extension: 'jpg',
              file_size: 81_000,
            }),
          ],
        }),
      ),
      until: '.picture img',
    };
  },
  lightbox: (t) => ({
    rows: rows(
      theirs('14:02', t('The blue one, in daylight:', 'الأزرق في ضوء النهار:'), people(t).ada, {
        attachments: [picture('tide-lamp', 400, 440), picture('skerry-bowls', 400, 300)],
      }),
    ),
    async after({ find, press }) {
      await find('.picture img');
      await press('.picture', '.lightbox img');
    },
  }),
  'sounds-and-places': (t) => {
    const { ada } = people(t);
    return {
      rows: rows(
        mine('14:02', '', {
          attachments: [
            file('audio', '/art/voice-message.wav', {
              file_size: 8_044,
              extension: 'wav',
              transcribed_text: t('Where can I see the lamps?', 'أين يمكنني رؤية المصابيح؟'),
            }),
          ],
        }),
        theirs('14:04', t('Here is how to find us, and Tore’s number:', 'هكذا تجدنا، وهذا رقم طارق:'), ada, {
          attachments: [
            file('video', '/art/way.webm', {
              width: 1280,
              height: 720,
              file_size: 9_000,
              extension: 'webm',
            }),
            file('location', '', {
              coordinates_lat: 60.3953,
              coordinates_long: 5.3216,
              fallback_title: t('The boat shed', 'مرفأ القوارب'),
            }),
            file('contact', '', {
              fallback_title: '+47 55 12 34 56',
              meta: { firstName: t('Tore', 'طارق'), lastName: t('Haugen', 'يوسف') },
            }),
          ],
        }),
        theirs('14:05', '', ada, {
          attachments: [
            file('fallback', '', {
              data_url: 'https://northlight.example.com/opening',
              fallback_title: t('Opening days of the workshop', 'أيام العمل في الورشة'),
            }),
          ],
        }),
      ),
      until: '.place',
    };
  },
  uploading: (t) => {
    const files = [
      { name: 'hall.jpg', type: 'image/jpeg', size: 3_200_000 },
      { name: t('measurements.pdf', 'القياسات.pdf'), type: 'application/pdf', size: 840_000 },
    ];
    const waiting = { files: [{ name: 'walk-through.mov', type: 'video/quicktime', size: 28_400_000 }] };
    const first = unsent('14:06', t('The hall, as promised.', 'المدخل كما وعدت.'), 'sending', { files });
    return {
      rows: rows(first, unsent('14:07', '', 'queued', waiting)),
      progress: { echoId: first.row.key, fraction: 0.42 },
      until: 'progress',
    };
  },
  tray: (t) => ({
    rows: rows(theirs('14:02', t('Could you send us a photo?', 'هل ترسل لنا صورة؟'), people(t).ada)),
    draft: t('Here they are', 'ها هي'),
    async after({ choose, find }) {
      await choose([
        await fetched('/art/tide-lamp.jpg', t('the lamp at home.jpg', 'المصباح.jpg'), 'image/jpeg'),
        blank(
          t('measurements of the hall and the stairs.pdf', 'قياسات المدخل والدرج.pdf'),
          'application/pdf',
          840_000,
        ),
        blank(t('a film of everything.mov', 'فيلم طويل.mov'), 'video/quicktime', 2_300_000),
      ]);
      await find('.tray');
      await find('.problem');
    },
    written: { maxFileMb: '2' },
  }),
  drop: (t) => ({
    rows: rows(theirs('14:02', t('Could you send us a photo?', 'هل ترسل لنا صورة؟'), people(t).ada)),
    async after({ find }) {
      const field = await find('.composer textarea');
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(blank('a.txt', 'text/plain', 1));
      const hold = () =>
        field.dispatchEvent(
          new DragEvent('dragover', { dataTransfer, bubbles: true, composed: true, cancelable: true }),
        );
      // As a browser does, again and again.
      const holding = setInterval(hold, 100);
      await find('.drop');
      clearInterval(holding);
    },
  }),
  emoji: (t) => ({
    rows: rows(theirs('14:02', t('Which one do you like?', 'أيها يعجبك؟'), people(t).ada)),
    after: ({ press }) => press('.composer [aria-expanded]', '.emoji td'),
  }),
  recording: (t) => ({
    rows: rows(theirs('14:02', t('You can also tell us.', 'يمكنك أن تخبرنا بصوتك.'), people(t).ada)),
    async after({ press }) {
      // Silence, so that no microphone is asked for.
      navigator.mediaDevices.getUserMedia = async () =>
        new AudioContext().createMediaStreamDestination().stream;
      await press('.composer .tool:last-of-type', '.voice .live');
    },
  }),
};
