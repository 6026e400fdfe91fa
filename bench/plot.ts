export interface Series {
	name: string;
	dashed?: boolean;
	points: Array<[x: number, y: number]>;
}

interface Plot {
	title: string;
	x: string;
	y: string;
	series: Series[];
}

const WIDTH = 760;
const HEIGHT = 420;
const MARGIN = { left: 70, right: 210, top: 40, bottom: 50 };
const COLOURS = ['#7c3aed', '#2563eb', '#dc2626', '#d97706', '#059669', '#475569'];

/** An SVG with logarithmic axes, on a background of its own so that it can be read in light and dark pages. */
export function plot({ title, x, y, series }: Plot): string {
	const points = series.flatMap((one) => one.points);
	const across = scale(
		points.map(([value]) => value),
		MARGIN.left,
		WIDTH - MARGIN.right,
	);
	const up = scale(
		points.map(([, value]) => value),
		HEIGHT - MARGIN.bottom,
		MARGIN.top,
	);
	const names = [...new Set(series.map(({ name }) => name.split(',')[0]))];
	const drawn = series.map(({ name, dashed, points: own }, i) => {
		const colour = COLOURS[names.indexOf(name.split(',')[0]) % COLOURS.length];
		const line = own.map(([a, b]) => `${across.at(a)},${up.at(b)}`).join(' ');
		const top = MARGIN.top + 20 * i;
		const dash = dashed ? ' stroke-dasharray="5 4"' : '';
		return [
			`<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>`,
			...own.map(
				([a, b]) => `<circle cx="${across.at(a)}" cy="${up.at(b)}" r="3" fill="${colour}"/>`,
			),
			`<line x1="${WIDTH - 195}" x2="${WIDTH - 170}" y1="${top}" y2="${top}" stroke="${colour}" stroke-width="2"${dash}/>`,
			`<text x="${WIDTH - 163}" y="${top + 4}">${name}</text>`,
		].join('\n');
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#1e293b">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="${MARGIN.left}" y="22" font-size="15" font-weight="bold">${title}</text>
${across.ticks.map((tick) => `<line x1="${across.at(tick)}" x2="${across.at(tick)}" y1="${MARGIN.top}" y2="${HEIGHT - MARGIN.bottom}" stroke="#e2e8f0"/><text x="${across.at(tick)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${tick.toLocaleString('en')}</text>`).join('\n')}
${up.ticks.map((tick) => `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${up.at(tick)}" y2="${up.at(tick)}" stroke="#e2e8f0"/><text x="${MARGIN.left - 8}" y="${up.at(tick) + 4}" text-anchor="end">${tick.toLocaleString('en')}</text>`).join('\n')}
<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${x}</text>
<text transform="translate(16 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle">${y}</text>
${drawn.join('\n')}
</svg>
`;
}

/** Logarithmic, from one power of ten to another. */
function scale(
	values: number[],
	from: number,
	to: number,
): { at(value: number): number; ticks: number[] } {
	const least = Math.floor(Math.log10(Math.min(...values)));
	const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))));
	return {
		at: (value) => Math.round(from + ((Math.log10(value) - least) / (most - least)) * (to - from)),
		ticks: Array.from({ length: most - least + 1 }, (_, i) => Number(`1e${least + i}`)),
	};
}
