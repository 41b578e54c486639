/** The sentences of attachments and quotes, apart because they come with the file that shows these. */
export const partsEn = {
  download: 'Download',
  location: 'Location',
  showMap: 'Show on a map',
  quoted: 'In reply to {name}: {words}',
  pictureOf: 'Picture {index} of {count}',
  nextPicture: 'Next picture',
  previousPicture: 'Previous picture',
  zoom: 'Actual size',
  closePicture: 'Close picture',
  pictureBroken: 'This picture could not be loaded.',
};
