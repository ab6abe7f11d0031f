/** The thread of checkpoints. */

import './driver.ts';
import '../store/checkpoint-worker.ts';
