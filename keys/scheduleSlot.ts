import { KeyError } from './errors';
import { timeOf } from './normalise';

export const SLOT_UNITS = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type SlotUnit = (typeof SLOT_UNITS)[number];

export interface SlotLength {
	size: number;
	unit: SlotUnit;
}

/** A timer may fire a few milliseconds early; the run still belongs to the slot that begins then. */
const EARLY_MS = 500;

/** Longer ones do not repeat with the clock and the calendar: the next larger unit is meant. */
const LONGEST: Record<SlotUnit, number> = {
	seconds: 59,
	minutes: 59,
	hours: 23,
	days: 366,
	weeks: 52,
	months: 12,
};

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The name of the slot that a scheduled run belongs to, as ISO 8601 writes an interval:
 * `2026-11-16T09:45+01:00/PT15M`, `2026-11-16/P1D`. All runs of one slot get the same name, however often
 * the schedule fires, and the next slot gets another.
 *
 * Slots begin where people expect them: at the full hour, at midnight, on Monday, on the first of the
 * month, in the given time zone. Slots of an hour or less carry their offset, because when clocks are
 * put back the same hour comes twice and each is a slot of its own.
 */
export function scheduleSlot(scheduled: unknown, length: SlotLength, timeZone: string): string {
	const { size, unit } = length;
	if (!Number.isInteger(size) || size < 1 || size > LONGEST[unit]) {
		throw new KeyError(
			`The slot length is ${size} ${unit}`,
			`Use a whole number from 1 to ${LONGEST[unit]}, or a larger unit`,
		);
	}
	const time = timeOf(scheduled);
	if (Number.isNaN(time)) {
		throw new KeyError(
			`The scheduled time '${String(scheduled ?? '')}' is not a date`,
			"Use the 'timestamp' field that the Schedule Trigger gives out: the present time would put a delayed run into the wrong slot",
		);
	}
	const local = localTime(time + EARLY_MS, timeZone);
	return `${slotStart(local, size, unit)}/${duration(size, unit)}`;
}

interface LocalTime {
	year: number;
	month: number;
	day: number;
	hour: number;
	minute: number;
	second: number;
	offset: string;
}

function slotStart(at: LocalTime, size: number, unit: SlotUnit): string {
	const floor = (value: number) => value - (value % size);
	const date = isoDate(Date.UTC(at.year, at.month - 1, at.day));
	const clock = (...parts: number[]) => `${date}T${parts.map(pad).join(':')}`;
	const day = Math.floor(Date.UTC(at.year, at.month - 1, at.day) / DAY_MS);

	switch (unit) {
		case 'seconds':
			return clock(at.hour, at.minute, floor(at.second)) + at.offset;
		case 'minutes':
			return clock(at.hour, floor(at.minute)) + at.offset;
		case 'hours':
			return clock(floor(at.hour), 0) + (size === 1 ? at.offset : '');
		case 'days':
			return isoDate(floor(day) * DAY_MS);
		case 'weeks': {
			// Day 0 was a Thursday; weeks begin on Monday.
			const week = Math.floor((day + 3) / 7);
			return isoDate((floor(week) * 7 - 3) * DAY_MS);
		}
		case 'months': {
			const month = floor(at.year * 12 + at.month - 1);
			return `${Math.floor(month / 12)}-${pad((month % 12) + 1)}`;
		}
	}
}

const DESIGNATORS: Record<SlotUnit, [string, string]> = {
	seconds: ['PT', 'S'],
	minutes: ['PT', 'M'],
	hours: ['PT', 'H'],
	days: ['P', 'D'],
	weeks: ['P', 'W'],
	months: ['P', 'M'],
};

function duration(size: number, unit: SlotUnit): string {
	const [before, after] = DESIGNATORS[unit];
	return `${before}${size}${after}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function localTime(time: number, timeZone: string): LocalTime {
	const parts: Record<string, string> = {};
	for (const { type, value } of formatFor(timeZone).formatToParts(time)) parts[type] = value;
	const numbers = {
		year: Number(parts.year),
		month: Number(parts.month),
		day: Number(parts.day),
		hour: Number(parts.hour),
		minute: Number(parts.minute),
		second: Number(parts.second),
	};
	const { year, month, day, hour, minute, second } = numbers;
	const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
	const offset = Math.round((asUtc - (time - (time % 1000))) / 60_000);
	return { ...numbers, offset: isoOffset(offset) };
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
	let format = formats.get(timeZone);
	if (!format) {
		try {
			format = new Intl.DateTimeFormat('en-US', {
				timeZone,
				calendar: 'gregory',
				numberingSystem: 'latn',
				hourCycle: 'h23',
				year: 'numeric',
				month: '2-digit',
				day: '2-digit',
				hour: '2-digit',
				minute: '2-digit',
				second: '2-digit',
			});
		} catch {
			throw new KeyError(
				`The time zone '${timeZone}' is not known`,
				'Use a name such as Europe/Berlin or UTC',
			);
		}
		formats.set(timeZone, format);
	}
	return format;
}

function isoOffset(minutes: number): string {
	if (minutes === 0) return 'Z';
	const size = Math.abs(minutes);
	return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

function isoDate(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}

function pad(value: number): string {
	return String(value).padStart(2, '0');
}
