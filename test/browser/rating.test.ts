/** How a visitor rates a conversation, in a real browser, and what the service keeps of it. */
import { expect, test } from 'vitest';
import { chat, useShop } from '../support/browser.js';
import { inside, talk } from '../support/talk.js';

const { browser, service } = await useShop();

test('a rating is given by keyboard, changed, and refused after 14 days', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'Rate, please');
  await hear('input_csat', 'How was it?', { display_type: 'emoji' });
  // Under the finger of who has read out what it lies on, there is a choice with a name.
  await inside(page, 'How was it?').getByRole('radio').first().waitFor();
  const under = await inside(page, 'How was it?')
    .getByRole('radio')
    .evaluateAll((all) =>
      all.map((radio) => {
        const face = radio.parentElement?.getBoundingClientRect();
        const root = radio.getRootNode();
        if (!face || !(root instanceof ShadowRoot)) return undefined;
        return root.elementFromPoint(face.x + face.width / 4, face.y + face.height / 4) === radio;
      }),
    );
  expect(under).toEqual([true, true, true, true, true]);
  const question = inside(page, 'How was it?');
  await question.getByRole('radio', { name: 'Very bad' }).focus();
  await page.keyboard.press('Space');
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
  await expect.poll(() => question.getByRole('radio', { name: 'Good', exact: true }).isChecked()).toBe(true);
  await question.getByLabel('tell us more').fill('Fast');
  await question.getByRole('button', { name: 'Send' }).click();
  await question.getByText('Thank you for your rating!').waitFor();
  const response = (rating: number, feedback_message: string) => ({
    csat_survey_response: { rating, feedback_message },
  });
  await expect.poll(() => kept('How was it?')).toEqual(response(4, 'Fast'));
  await question.getByRole('button', { name: 'Change' }).focus();
  await page.keyboard.press('Enter');
  const given = question.getByRole('radio', { name: 'Good', exact: true });
  await expect.poll(() => given.evaluate((radio) => radio.matches(':focus'))).toBe(true);
  await page.keyboard.press('ArrowRight');
  await question.getByRole('button', { name: 'Send' }).click();
  await question.getByText('Thank you for your rating!').waitFor();
  await question.getByText('Very good').waitFor();
  await expect.poll(() => kept('How was it?')).toEqual(response(5, 'Fast'));

  // The service's clock decides: that of this page is slow, and by it the question is new.
  await page.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() - 16 * 86_400_000;
  });
  await hear('input_csat', 'And now?', {});
  await service.db.query(`update messages set created_at = now() - interval '16 days' where content = $1`, [
    'And now?',
  ]);
  const late = inside(page, 'And now?');
  await late.getByTitle('Okay').click();
  await late.getByRole('button', { name: 'Send' }).click();
  await late.getByText('Ratings can be given within 14 days').waitFor();
  expect(await kept('And now?')).toBeUndefined();
  await close();
});

test('half a rating outlives a reload, and is not kept once it is given', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'Half a rating');
  await hear('input_csat', 'Were we quick?', {});
  const question = inside(page, 'Were we quick?');
  await question.getByTitle('Good', { exact: true }).click();
  await question.getByLabel('tell us more').fill('Quick as a hare');
  await page.reload();
  const feedback = question.getByLabel('tell us more');
  await expect.poll(() => feedback.inputValue()).toBe('Quick as a hare');
  expect(await question.getByRole('radio', { name: 'Good', exact: true }).isChecked()).toBe(true);
  await question.getByRole('button', { name: 'Send' }).click();
  await expect
    .poll(() => kept('Were we quick?'))
    .toEqual({ csat_survey_response: { rating: 4, feedback_message: 'Quick as a hare' } });
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await expect.poll(stored).not.toContain('Quick as a hare');
  await close();
});

test('a team that asks for stars gets them, filled up to the one that was chosen', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'Stars');
  await hear('input_csat', 'How many stars?', { display_type: 'star' });
  const question = inside(page, 'How many stars?');
  const filled = () =>
    question.locator('svg').evaluateAll((all) => all.map((star) => getComputedStyle(star).fill !== 'none'));
  await expect.poll(filled).toEqual([false, false, false, false, false]);
  await question.getByTitle('Okay', { exact: true }).click();
  await expect.poll(filled).toEqual([true, true, true, false, false]);
  await question.getByRole('button', { name: 'Send' }).click();
  await question.getByText('Thank you for your rating!').waitFor();
  expect(await filled()).toEqual([true, true, true]);
  const given = { csat_survey_response: { rating: 3, feedback_message: '' } };
  await expect.poll(() => kept('How many stars?')).toEqual(given);
  await close();
});

test('a rating that is not changed after all is as it was, by the button and by Escape', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'Rate, perhaps');
  await hear('input_csat', 'Was it good?', { display_type: 'emoji' });
  const question = inside(page, 'Was it good?');
  await question.getByTitle('Good', { exact: true }).click();
  await question.getByLabel('tell us more').fill('Fast');
  await question.getByRole('button', { name: 'Send' }).click();
  const change = question.getByRole('button', { name: 'Change' });
  const isFocused = () => change.evaluate((button) => button.matches(':focus'));
  const cancel = question.getByRole('button', { name: 'Cancel' });
  const good = question.getByRole('radio', { name: 'Good', exact: true });
  const answer = { csat_survey_response: { rating: 4, feedback_message: 'Fast' } };
  await change.waitFor();
  // There is nothing yet to go back to.
  expect(await cancel.count()).toBe(0);
  await change.click();
  await question.getByTitle('Very bad').click();
  await question.getByLabel('tell us more').fill('Slow');
  await page.keyboard.press('Escape');
  await question.getByText('Fast').waitFor();
  expect(await isFocused()).toBe(true);
  await change.click();
  expect(await good.isChecked()).toBe(true);
  expect(await question.getByLabel('tell us more').inputValue()).toBe('Fast');

  // Nor is a failure told any more of what was given up.
  await page.context().setOffline(true);
  await question.getByRole('button', { name: 'Send' }).click();
  const problem = question.getByRole('alert').getByText('could not be sent');
  await problem.waitFor();
  await page.context().setOffline(false);
  await cancel.press('Enter');
  await expect.poll(isFocused).toBe(true);
  await change.press('Enter');
  await good.waitFor({ state: 'attached' });
  expect(await problem.count()).toBe(0);

  // Who writes on stays there, and the next Escape is the window's.
  await chat(page).field.focus();
  await page.keyboard.press('Escape');
  await change.waitFor();
  expect(await isFocused()).toBe(false);
  expect(await kept('Was it good?')).toEqual(answer);
  await page.keyboard.press('Escape');
  await chat(page).window.waitFor({ state: 'hidden' });
  await close();
});

test('whoever taps a face and leaves has rated, and an arrow key sends nothing', async () => {
  const { page, hear, kept, close } = await talk(browser, service, 'A tap');
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH' && /\/messages\/\d+$/.test(request.url()))
      sent.push(request.postDataJSON().submitted_values.csat_survey_response.rating);
  });
  await hear('input_csat', 'Tap?', {});
  const question = inside(page, 'Tap?');
  await question.getByRole('radio', { name: 'Very bad' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await question.getByTitle('Good', { exact: true }).click();
  const response = { csat_survey_response: { rating: 4, feedback_message: '' } };
  await expect.poll(() => kept('Tap?')).toEqual(response);
  await question.getByTitle('Very good', { exact: true }).click();
  await expect
    .poll(() => kept('Tap?'))
    .toEqual({ csat_survey_response: { rating: 5, feedback_message: '' } });
  expect(sent).toEqual([4, 5]);
  await question.getByLabel('tell us more').fill('As a hare');
  expect(await question.getByRole('radio', { name: 'Very good' }).isChecked()).toBe(true);
  await question.getByRole('button', { name: 'Send' }).click();
  await question.getByText('Thank you for your rating!').waitFor();
  await expect
    .poll(() => kept('Tap?'))
    .toEqual({ csat_survey_response: { rating: 5, feedback_message: 'As a hare' } });
  await hear('input_csat', 'Tap again?', {});
  const again = inside(page, 'Tap again?');
  await again.getByTitle('Okay', { exact: true }).click();
  await expect
    .poll(() => kept('Tap again?'))
    .toEqual({ csat_survey_response: { rating: 3, feedback_message: '' } });
  await page.reload();
  await again.getByText('Thank you for your rating!').waitFor();
  await close();
});
