const { src, dest, task } = require('gulp');

// tsc copies code only; these are the files the compiled code reads at run time.
const assets = [
	'{nodes,credentials,icons}/**/*.{svg,png}',
	'nodes/**/__schema__/**/*.json',
	'ledger/**/*.{sql,lua}',
];

// `encoding: false` because gulp would otherwise treat a png as text and damage it.
task('build:assets', () =>
	src(assets, { base: '.', encoding: false, allowEmpty: true }).pipe(dest('dist')),
);
