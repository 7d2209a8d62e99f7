import { startFirefox } from './firefox'
import { engineSuites } from './suites'

engineSuites('Firefox', startFirefox)
