/** What an agent does at the console while something else is on its way, in a real browser before a real service. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Console, startConsole } from '../support/console.js';
import { startMs } from '../support/service.js';

let here: Console;
beforeAll(async () => {
  here = await startConsole();
}, startMs);
afterAll(() => here.end());

const button = (name: string) => here.desk.getByRole('button', { name, exact: true });

test('files land where they were chosen for, wherever a notification has led meanwhile', async () => {
  const other = await here.talk('The visitor who gets no file');
  const { conversation, close } = await here.talk('The visitor whom the file is about');
  const tray = here.desk.getByRole('list', { name: 'Attached' });
  await here.desk.getByRole('radio', { name: 'Private note' }).check();
  const chooser = here.desk.waitForEvent('filechooser');
  await button('Attach files').click();
  const go = async (id: number, words: string) => {
    await here.desk.evaluate((id) => {
      location.hash = `#/${id}`;
    }, id);
    await here.log().getByText(words).waitFor();
  };
  await go(other.conversation, 'The visitor who gets no file');
  const file = { name: 'internal.txt', mimeType: 'text/plain', buffer: Buffer.from('For us') };
  await (await chooser).setFiles(file);
  await go(conversation, 'The visitor whom the file is about');
  await tray.getByText('internal.txt').waitFor();
  expect(await here.desk.getByRole('radio', { name: 'Private note' }).isChecked()).toBe(true);
  await go(other.conversation, 'The visitor who gets no file');
  expect(await tray.count()).toBe(0);
  await other.close();
  await close();
});
