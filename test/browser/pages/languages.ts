// A page that also has all languages.
import './page'
import { ar } from 'rapport-sdk/locales/ar'
import { de, type Locale } from 'rapport-sdk/locales/de'
import { es } from 'rapport-sdk/locales/es'
import { fr } from 'rapport-sdk/locales/fr'
import { ja } from 'rapport-sdk/locales/ja'
import { ko } from 'rapport-sdk/locales/ko'
import { pl } from 'rapport-sdk/locales/pl'
import { ptBR } from 'rapport-sdk/locales/pt-BR'
import { tr } from 'rapport-sdk/locales/tr'
import { zhCN } from 'rapport-sdk/locales/zh-CN'

declare global {
  interface Window {
    /** The languages by their tags. */
    locales: Readonly<Record<string, Locale>>
  }
}

window.locales = { ar, de, es, fr, ja, ko, pl, 'pt-BR': ptBR, tr, 'zh-CN': zhCN }
