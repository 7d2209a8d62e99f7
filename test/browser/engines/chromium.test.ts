import { startChromium } from './chromium'
import { engineSuites } from './suites'

engineSuites('Chromium', startChromium)
