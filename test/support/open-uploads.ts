/** Opens the folders of uploads as somebody without root's rights, who may write anywhere, and prints what came of it. */
import { openUploads } from '../../demo/service/uploads.js';

const nobody = 65_534;
if (process.getuid?.() === 0) process.setuid?.(nobody);
await openUploads(process.env.DATA_DIR ?? '').then(
  () => console.log('opened'),
  (error: unknown) => console.log(String(error)),
);
