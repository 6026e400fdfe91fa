import { Html } from '../../shared/html';

/** The colours of the package's icons, light and dark. */
export const REPORT_STYLE = new Html(`<style>
:root{color-scheme:light dark;--page:#f4f5f8;--card:#fff;--line:#dbdfe7;--text:#2d2e33;--soft:#5b5f6b;--s0:#0f766e;--s1:#d97706;--good:#0f766e;--warn:#b45309}
@media (prefers-color-scheme:dark){:root{--page:#171717;--card:#222326;--line:#43454b;--text:#f0f0f2;--soft:#b4b6bd;--s0:#5eead4;--s1:#fbbf24;--good:#5eead4;--warn:#fbbf24}}
*{box-sizing:border-box}
body{margin:0;padding:24px 16px;background:var(--page);color:var(--text);font:16px/1.5 Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main{max-width:960px;margin:0 auto}
h1{font-size:24px;margin:0}h2{font-size:17px;margin:0 0 12px}p{margin:0 0 16px}
.soft{color:var(--soft);font-size:14px}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px 20px;margin:0 0 16px}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:12px;margin:0 0 16px}
.tile{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 16px}
dt{color:var(--soft);font-size:13px}dd{margin:0;font-size:24px;font-weight:600;font-variant-numeric:tabular-nums}
.good dd{color:var(--good)}.warn dd{color:var(--warn)}
svg{display:block;width:100%;height:auto}svg text{fill:var(--soft);font-size:11px}.grid line{stroke:var(--line)}
rect.s0{fill:var(--s0)}rect.s1{fill:var(--s1)}
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;list-style:none;margin:0 0 8px;padding:0;font-size:14px}
.key{display:inline-block;width:10px;height:10px;border-radius:2px;margin-inline-end:6px}.key.s0{background:var(--s0)}.key.s1{background:var(--s1)}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:14px}th,td{text-align:start;vertical-align:top;padding:6px 12px 6px 0;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:500}.n{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
@media (max-width:480px){body{padding:12px 8px}.card{padding:12px}}
</style>`);
