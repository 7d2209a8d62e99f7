// Style sheet of previews.
const LIGHT = `color-scheme:light;--rp-page:#fff;--rp-card:#f4f5f7;--rp-text:#1f2329;--rp-soft:#545b66;--rp-line:#d9dde3;\
--rp-edge:#7a828e;--rp-link:#1a56c4;--rp-keyword:#6b2bb3;--rp-string:#14592f;--rp-number:#8a3410`

const DARK = `color-scheme:dark;--rp-page:#1b1d21;--rp-card:#25282e;--rp-text:#eceef1;--rp-soft:#aeb5bf;--rp-line:#3c414a;\
--rp-edge:#7f8794;--rp-link:#8ab4ff;--rp-keyword:#d9bfff;--rp-string:#a6e3b8;--rp-number:#ffc9a3`

/**
 * Stylesheet of all previews, for pages whose Content-Security-Policy forbids `<style>`: add it to a stylesheet and
 * pass `css: false` to `toHtml`. Every selector starts with a class of the preview.
 *
 * @example
 * import { previewCss } from 'rapport-sdk/preview'
 *
 * const sheet = new CSSStyleSheet()
 * sheet.replaceSync(previewCss)
 * document.adoptedStyleSheets.push(sheet)
 */
export const previewCss: string = `.rapport-preview{${LIGHT};max-width:600px;padding:16px;background:var(--rp-page);\
color:var(--rp-text);font:16px/1.4 system-ui,sans-serif;overflow-wrap:anywhere;overflow:clip}\
.rapport-preview[data-theme=dark]{${DARK}}\
@media (prefers-color-scheme:dark){.rapport-preview[data-theme=auto]{${DARK}}}\
.rapport-preview,.rapport-preview *{box-sizing:border-box;margin:0;min-width:0}\
.rapport-preview a:not(.rp-button){color:var(--rp-link)}\
.rapport-preview img{display:block;width:100%;height:100%;object-fit:cover;border-radius:8px;background:var(--rp-line);\
color:var(--rp-soft);font-size:13px}\
.rapport-preview small{display:block;font-size:13px;color:var(--rp-soft)}\
.rapport-preview .rp-emoji{display:inline;width:1.375em;height:1.375em;border-radius:0;object-fit:contain;vertical-align:-.3em;background:none;font-size:inherit}\
.rp-large{font-size:36px}\
.rapport-preview .rp-avatar{flex:none;width:24px;height:24px;border-radius:50%}\
.rp-line{display:flex;flex-wrap:wrap;align-items:center;gap:4px 8px;font-size:14px}\
.rp-embed{display:flex;flex-wrap:wrap;gap:8px 12px;flex:1 140px}\
.rp-embed>*{flex:1 100%}\
.rp-embed>.rp-inline{flex:1 140px}\
.rp-embed>div>strong{display:block}\
.rp-comment{color:var(--rp-soft)}\
.rp-string{color:var(--rp-string)}\
.rp-number{color:var(--rp-number)}\
.rp-keyword{color:var(--rp-keyword)}\
.rapport-preview :is(summary,code){padding:0 6px;border-radius:4px;background:var(--rp-line);font-size:14px}\
.rapport-preview :is(.rp-mention,.rp-time){padding:0 2px;border-radius:4px;background:var(--rp-line)}\
.rapport-preview .rp-mention{color:var(--rp-link);font-weight:500}\
.rapport-preview :is([type=checkbox],[type=radio]){width:20px;height:20px;vertical-align:middle;accent-color:#2b5fd9}\
.rapport-preview summary{cursor:pointer;width:fit-content}\
.rapport-preview pre{overflow:auto}\
.rapport-preview pre code{display:block;width:max-content;min-width:100%;padding:8px}\
.rapport-preview h1{font-size:24px}\
.rapport-preview h2{font-size:20px}\
.rapport-preview h3{font-size:17px}\
.rapport-preview blockquote{padding-left:12px;border-left:4px solid var(--rp-line)}\
.rp-text :is(ul,ol){padding:0 0 0 24px}\
.rp-text>*+*,.rp-text>blockquote>*+*{margin-top:4px}\
.rp-stack>*+*{margin-top:8px}\
.rp-stack>.rp-gap,.rp-stack>.rp-gap+*{margin-top:0}\
.rp-stack>.rp-gap{height:16px;border:0}\
.rp-stack>.rp-gap-32{height:32px}\
.rp-stack>hr.rp-gap{height:0;margin:8px 0;border-top:1px solid var(--rp-line)}\
.rp-stack>hr.rp-gap-16{margin:16px 0}\
.rp-hidden,.rp-hidden>summary{display:inline}\
.rp-hidden::details-content{display:inline}\
.rp-hidden:not([open])>span{display:none}\
.rp-row,.rp-section{display:flex;flex-wrap:wrap;gap:8px 12px}\
.rp-section>.rp-stack{flex:1 140px}\
.rp-section{align-items:start}\
.rp-button{display:inline-flex;align-items:center;justify-content:center;gap:8px;max-width:100%;min-height:36px;padding:6px 16px;\
border:1px solid #0000;border-radius:8px;background:var(--rp-line);color:var(--rp-text);font:500 14px system-ui,sans-serif;\
text-decoration:none;cursor:pointer}\
.rp-style-1{color:#fff;background:#2b5fd9}\
.rp-style-3{color:#fff;background:#1c7a41}\
.rp-style-4{color:#fff;background:#c22f2f}\
.rp-style-6{color:#fff;background:#6b3fc9}\
.rp-button:disabled,.rp-control:disabled{border:1px dashed var(--rp-edge);background:none;color:var(--rp-soft);opacity:1}\
.rp-icon{flex:none;width:14px;fill:none;stroke:currentColor;stroke-width:1.5}\
.rp-thumbnail{position:relative;width:88px;aspect-ratio:1}\
.rp-container,.rp-modal,.rp-file{position:relative;padding:16px;border:1px solid var(--rp-line);border-radius:8px;background:var(--rp-card)}\
.rp-bar{position:absolute;inset:0 auto 0 0;width:4px;height:100%;border-radius:8px 0 0 8px}\
.rp-spoiler>summary{display:grid;place-items:center;width:auto;min-height:48px;border-radius:8px;font-weight:600}\
.rp-spoiler[open]>summary{width:fit-content;min-height:0;margin-bottom:4px}\
.rp-gallery{display:grid;grid-template-columns:repeat(6,1fr);gap:4px;border-radius:8px;overflow:hidden}\
.rp-picture{position:relative;grid-column:span 2;aspect-ratio:1}\
.rp-gallery>.rp-picture img{border-radius:0}\
.rp-picture:first-child:nth-last-child(3n+1){grid-column:span 6;aspect-ratio:2}\
.rp-picture:first-child:nth-last-child(3n+2),.rp-picture:nth-child(2):nth-last-child(3n+1){grid-column:span 3}\
.rp-picture:first-child:nth-last-child(3){grid-area:span 2/span 4}\
.rp-picture:first-child:nth-last-child(4),.rp-picture:first-child:nth-last-child(4)~*{grid-column:span 3;aspect-ratio:1.6}\
.rp-gallery>.rp-picture:only-child{aspect-ratio:auto}\
.rp-picture:only-child img{width:auto;max-width:100%;height:auto;max-height:350px;aspect-ratio:auto 3;border-radius:8px}\
.rp-picture>*,.rp-thumbnail>*,.rp-picture summary,.rp-thumbnail summary{height:100%}\
.rp-picture>.rp-box,.rp-thumbnail>.rp-box{height:auto;min-height:100%}\
.rp-picture:only-child summary{min-height:200px}\
.rp-picture>[open]>*,.rp-thumbnail>[open]>*{position:absolute;inset:0}\
.rp-picture:only-child>[open]>*{position:static}\
.rp-picture>[open]>summary,.rp-thumbnail>[open]>summary{position:absolute;z-index:1;inset:4px auto auto 4px;height:auto;min-height:0}\
.rp-box{display:grid;place-items:center;padding:8px;border:1px dashed var(--rp-edge);border-radius:8px;font-size:13px;color:var(--rp-soft)}\
.rp-modal>.rp-row{justify-content:flex-end}\
.rp-modal>*+*,.rp-modal>.rp-stack>*+*{margin-top:16px}\
.rp-field{padding:0;border:0}\
.rp-field>:first-child{display:inline-block;padding:0;font-weight:600}\
.rp-field>[type=checkbox]{margin:0 8px}\
.rp-control{display:block;width:100%;min-height:44px;margin-top:4px;padding:8px;border:1px solid var(--rp-edge);border-radius:8px;\
background:var(--rp-page);color:var(--rp-text);font:inherit}\
.rp-control::placeholder{color:var(--rp-soft)}\
.rp-control[type=file]{padding:16px;border-style:dashed}\
.rp-control::file-selector-button{margin-right:12px;padding:6px 16px;border:0;border-radius:8px;background:var(--rp-line);color:var(--rp-text);\
font:500 14px system-ui,sans-serif}\
.rp-multi>summary{display:flex;justify-content:space-between;width:auto;padding:0;background:none;font-size:inherit}\
.rp-multi>summary::after{content:"\\25be"}\
.rp-choice{display:grid;grid-template-columns:auto 1fr;gap:0 8px;padding-top:4px}\
.rp-choice small{grid-column:2}\
`
