// In place of the hashes of @noble/hashes that otpauth has for other codes than those of the mock.
const unused = undefined

export {
  unused as sha3_224,
  unused as sha3_256,
  unused as sha3_384,
  unused as sha3_512,
  unused as sha224,
  unused as sha256,
  unused as sha384,
  unused as sha512,
}
