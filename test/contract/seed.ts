/** A failure prints its seed; `TEST_SEED=… npx jest …` runs the same again. */
export const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
