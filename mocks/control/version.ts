// The build copies the string into the bundle.
export { version } from '../../package.json'
