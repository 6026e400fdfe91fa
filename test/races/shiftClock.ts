// Loaded before all else by a worker whose host's clock is wrong: every way to ask for the time is off by so much.
const shift = Number(process.env.RACES_CLOCK_SHIFT_MS);
const RealDate = Date;

globalThis.Date = class extends RealDate {
	constructor(...args: unknown[]) {
		super(...((args.length === 0 ? [RealDate.now() + shift] : args) as [number]));
	}

	static now(): number {
		return RealDate.now() + shift;
	}
} as DateConstructor;
