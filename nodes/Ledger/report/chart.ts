import { type Html, markup } from '../../shared/html';

export interface Series {
	name: string;
	values: number[];
}

const WIDTH = 720;
const HEIGHT = 200;
/** Room for the numbers on the left, and for the days below. */
const LEFT = 48;
const BOTTOM = 22;
const PLOT = HEIGHT - BOTTOM - 8;

/** Bars side by side, one group for each label. What it shows is also said in words, and in the title of each bar. */
export function barChart(title: string, labels: string[], series: Series[]): Html {
	const most = Math.max(1, ...series.flatMap(({ values }) => values));
	const top = niceTop(most);
	const slot = (WIDTH - LEFT) / labels.length;
	const width = Math.max(1, (slot * 0.8) / series.length);
	const bars = series.map(({ name, values }, s) =>
		values.map((value, i) => {
			const height = (value / top) * PLOT;
			const x = LEFT + i * slot + slot * 0.1 + s * width;
			return markup`<rect class="s${s}" x="${round(x)}" y="${round(8 + PLOT - height)}" width="${round(width)}" height="${round(height)}" rx="1"><title>${labels[i]}: ${value} ${name}</title></rect>`;
		}),
	);
	const lines = [0, 0.5, 1].map((share) => {
		const y = round(8 + PLOT * (1 - share));
		return markup`<line x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/><text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${(top * share).toLocaleString('en-US')}</text>`;
	});
	const every = Math.ceil(labels.length / 6);
	const days = labels.map(
		(label, i) =>
			i % every === 0 &&
			markup`<text x="${round(LEFT + (i + 0.5) * slot)}" y="${HEIGHT - 4}" text-anchor="middle">${label.slice(5)}</text>`,
	);
	const legend = series.map(
		({ name, values }, s) =>
			markup`<li><span class="key s${s}"></span>${name}: ${values.reduce((sum, value) => sum + value, 0).toLocaleString('en-US')}</li>`,
	);
	return markup`<ul class="legend">${legend}</ul><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}"><g class="grid">${lines}</g>${bars}<g class="days">${days}</g></svg>`;
}

/** The next even number that is easy to read, so that half of it is too. */
function niceTop(most: number): number {
	const unit = 10 ** Math.floor(Math.log10(most));
	return [1, 2, 4, 6, 8, 10].map((step) => Math.max(2, step * unit)).find((top) => top >= most)!;
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
