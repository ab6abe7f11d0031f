/** The thread of checkpoints. */

import './driver.ts';
import '../database/checkpoint-worker.ts';
