/** The sentences of files that are to be sent, which come with the tray. */
export const trayEn = {
  chosenFiles: 'Files to be sent',
  removeFile: 'Remove {name}',
  fileRemoved: '{name} was removed.',
  filesAdded: {
    one: 'Added: {names}',
    other: '{count} files added: {names}',
  },
  fileTooBig: '{name} was left out: it is {size}, and a file can have up to {limit}.',
  fileUnreadable: '{name} was left out: it could not be read.',
  notStripped: '{name} was left out: we could not take its location data out of it.',
  fileKind: 'This kind of file cannot be sent here: {names}',
  tooManyFiles: {
    one: 'A message can have {count} file. Left out: {names}',
    other: 'A message can have up to {count} files. Left out: {names}',
  },
  uploading: 'Upload',
  cancelUpload: 'Cancel',
};
