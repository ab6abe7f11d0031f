/** How CSV files were read last, to read files with the same columns in the same way. */

export { saveCsvMapping } from '../store/csv-mappings.ts';
