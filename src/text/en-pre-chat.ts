/** The sentences of the questions before the first message, apart because they come with the file that asks them. */
export const preChatEn = {
  askTitle: 'Before we start',
  askText: 'So that we can help you well.',
  askName: 'Your name',
  askPhone: 'Phone number',
  askGo: 'Start chatting',
  askNeeded: 'Please fill this in.',
  askNeededPick: 'Please choose one.',
  askNeededTick: 'Please tick this to go on.',
  askNotPhone: 'Please write the number with its country code, like +49 30 123456.',
  askNotKept: 'Your answers could not be kept. Please try again.',
};
