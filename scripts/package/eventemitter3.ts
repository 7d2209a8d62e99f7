export { EventEmitter } from 'eventemitter3'
