/** The few sentences of door 1, apart because every page pays for them. */
export const launcherEn = {
  region: 'Customer chat',
  openChat: 'Open chat',
  closeChat: 'Close chat',
  message: 'Message',
  unread: { one: '{count} new message', other: '{count} new messages' },
  notLoaded: 'The chat could not be loaded. Please try again.',
};
