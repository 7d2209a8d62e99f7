import { engineSuites } from './suites'
import { startWebKit } from './webkit'

engineSuites('WebKitGTK', startWebKit)
