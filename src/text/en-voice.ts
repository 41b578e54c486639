/** The sentences of recording a voice, which come with the recorder. */
export const voiceEn = {
  recording: 'Recording',
  stopRecording: 'Stop and keep the recording',
  discardRecording: 'Discard the recording',
  askingMicrophone: 'Waiting for your microphone…',
  microphoneRefused: 'We cannot hear you: please allow the microphone for this page in your browser.',
  microphoneMissing:
    'We cannot hear you: please check that a microphone is connected and that no other app is using it.',
};
