/** A unique index said no: somebody has this already. The index decides, so two at once cannot both have it. */
import { unprocessable } from '../errors.js';
import { sqlState, uniqueViolation } from './database.js';

export const taken = (field: string) => unprocessable(field, 'has already been taken', 'taken');

export async function refuseTaken<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw taken(field);
    throw error;
  }
}
