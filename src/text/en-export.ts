/** The sentences of the conversation as a file or on paper, which come with it. */
export const exportEn = {
  gathering: {
    one: 'Getting the whole conversation: {count} message so far…',
    other: 'Getting the whole conversation: {count} messages so far…',
  },
  gatheringFailed: 'The whole conversation could not be loaded. Please try again.',
  saveFailed: 'The copy could not be saved. Please try again.',
  writtenOn: 'Document created on {date}',
};
