import { createHash } from 'node:crypto';

/** In the look of n8n's own pages, light and dark. Colours keep a contrast of at least 4.5 : 1. */
export const STYLE = `
:root{color-scheme:light dark;--page:#f4f5f8;--card:#fff;--line:#dbdfe7;--text:#2d2e33;--soft:#5b5f6b;--mark:#fff4e8;--link:#b8331f;
--yes:#0a7a4d;--no:#b4232a;--ontone:#fff;--bad:#fdecec;--field:#fff;--focus:#5a54d6}
@media (prefers-color-scheme:dark){:root{--page:#171717;--card:#222326;--line:#43454b;--text:#f0f0f2;--soft:#b4b6bd;--mark:#3a2f1d;
--link:#ff9a8b;--yes:#3ecf8e;--no:#ff8a8a;--ontone:#101113;--bad:#3b2022;--field:#1a1b1d;--focus:#a5a1ff}}
*{box-sizing:border-box}
body{margin:0;padding:24px 16px;background:var(--page);color:var(--text);font:16px/1.5 Inter,"Open Sans",system-ui,-apple-system,"Segoe UI",
Roboto,sans-serif;overflow-wrap:anywhere;-webkit-text-size-adjust:100%}
main{max-width:560px;margin:0 auto}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:24px;margin:0 0 16px;box-shadow:0 4px 16px #634dff0f}
h1{font-size:22px;line-height:1.3;margin:0 0 12px;font-weight:600}
h2{font-size:17px;line-height:1.3;margin:0 0 12px;font-weight:600}
p{margin:0 0 12px}.heading{font-weight:600}
ul,ol{margin:0 0 12px;padding-inline-start:24px}
blockquote{margin:0 0 12px;padding-inline-start:12px;border-inline-start:3px solid var(--line);color:var(--soft)}
pre,code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px}
pre{white-space:pre-wrap;margin:0 0 12px;padding:8px 12px;background:var(--page);border-radius:4px}
td pre{margin:0}
a{color:var(--link)}small,.soft{color:var(--soft);font-size:14px}
.amount{background:var(--mark);border-radius:8px;padding:12px 16px;font-size:26px;line-height:1.3;font-weight:700;margin:0 0 16px}
table{width:100%;border-collapse:collapse;margin:0 0 16px;table-layout:fixed}
th,td{text-align:start;vertical-align:top;padding:8px 0;border-bottom:1px solid var(--line);font-size:15px}
th{width:38%;font-weight:500;color:var(--soft);padding-inline-end:12px}
.changed{border-inline-start:4px solid #d97706;padding-inline-start:12px}
del{color:var(--soft)}ins{text-decoration:none;font-weight:600}
.notice{border:1px solid var(--line);border-radius:8px;padding:12px 16px;margin:0 0 16px}
.wrong{background:var(--bad);border-color:var(--no)}
.approved{color:var(--yes)}.rejected,.expired{color:var(--no)}
label,legend{display:block;font-weight:500;margin:0 0 4px;padding:0}
input[type=text],input[type=password],textarea{width:100%;font:inherit;color:inherit;background:var(--field);border:1px solid var(--soft);
border-radius:4px;padding:10px 12px;margin:0 0 16px}
textarea{min-height:76px;resize:vertical}
fieldset{border:0;margin:0;padding:0}
.choice{display:inline-flex;align-items:center;gap:8px;min-height:44px;margin-inline-end:20px;font-weight:400}
.choice input{width:20px;height:20px;margin:0;accent-color:var(--yes)}
.buttons{display:flex;flex-wrap:wrap;gap:12px}
button{flex:1 1 160px;min-height:48px;font:inherit;font-weight:600;border-radius:4px;padding:10px 16px;cursor:pointer;
border:1px solid var(--yes);background:var(--yes);color:var(--ontone)}
button.no{border-color:var(--no);background:transparent;color:var(--no)}
button.neutral{border-color:var(--soft);background:transparent;color:var(--text)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
footer{text-align:center;color:var(--soft);font-size:13px}
@media (max-width:480px){body{padding:12px 8px}.card{padding:16px}th,td{display:block;width:100%}th{border:0;padding-bottom:0}}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page runs nothing and loads nothing. In the page itself too: not everybody who serves it can send this header. */
export const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'`;

/** Nor is it framed by anybody, kept, indexed, or told about to other sites: its address is the right to decide. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'; sandbox allow-forms`,
	'Cache-Control': 'no-store, max-age=0',
	'Referrer-Policy': 'no-referrer',
	'X-Robots-Tag': 'noindex, nofollow, noarchive',
	'X-Frame-Options': 'DENY',
	'X-Content-Type-Options': 'nosniff',
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Cross-Origin-Resource-Policy': 'same-origin',
};
