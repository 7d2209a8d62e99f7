// Japanese. Not reviewed by a native speaker.
import type { Locale } from './locale'

export type { Locale } from './locale'

const errors: Locale['errors'] = {
  cancelled: { title: 'キャンセルしました', message: '操作はキャンセルされました。' },
  invalidInput: {
    title: '入力内容をご確認ください',
    message: ({ detail }) => detail || '印の付いた項目を修正してください。',
  },
  refused: { title: 'うまくいきませんでした', message: ({ detail }) => detail || 'サービスに拒否されました。' },
  signInFailed: { title: 'ログインできませんでした', message: '入力内容を確認して、もう一度お試しください。' },
  codeRefused: { title: '認証できませんでした', message: '入力内容を確認して、もう一度お試しください。' },
  codeExpired: {
    title: '確認の有効期限が切れました',
    message: '確認の有効期限が切れました。最初からやり直してください。',
  },
  mfaFailed: {
    title: '確認に失敗しました',
    message: ({ count }) =>
      count === 1
        ? '回答は受け付けられませんでした。最初からやり直してください。'
        : `${count}件の回答は受け付けられませんでした。最初からやり直してください。`,
  },
  mfaRequired: { title: '確認が必要です', message: 'ご本人であることを確認してください。' },
  signedOut: { title: 'ログアウトしました', message: '続けるにはログインしてください。' },
  forbidden: { title: '許可されていません', message: ({ detail }) => detail || 'この操作を行う権限がありません。' },
  notFound: {
    title: '見つかりません',
    message: ({ detail }) => detail || '存在しないか、すでに削除されています。',
  },
  rateLimited: {
    title: '試行回数が多すぎます',
    message: ({ when }) => `${when('ja')?.concat('に') ?? 'しばらくしてから'}もう一度お試しください。`,
  },
  accountDisabled: {
    title: 'アカウントは無効です',
    message: 'このアカウントは無効になっています。復元しますか？',
  },
  accountDeleted: {
    title: 'アカウントは削除予定です',
    message: 'このアカウントは削除される予定です。復元しますか？',
  },
  serviceDown: {
    title: 'サービスを利用できません',
    message: 'サービスに問題が発生しています。しばらくしてからもう一度お試しください。',
  },
  offline: { title: 'オフラインです', message: '接続を確認して、もう一度お試しください。' },
  unreachable: { title: '接続できません', message: 'サービスに接続できません。もう一度お試しください。' },
  corsSuspected: { title: '接続できません', message: 'サービスに接続できません。もう一度お試しください。' },
  timeout: { title: 'タイムアウトしました', message: '時間がかかりすぎました。もう一度お試しください。' },
  unreadable: {
    title: '予期しない応答です',
    message: '変更は保存された可能性があります。再読み込みして確認してください。',
  },
  passkeyUnsupported: {
    title: 'パスキーを利用できません',
    message: 'この端末またはブラウザーでは、ここでパスキーを使えません。',
  },
  passkeyFailed: {
    title: 'パスキーを使えませんでした',
    message: 'パスキーを使えませんでした。もう一度試すか、別の方法をお使いください。',
  },
  unexpected: { title: '問題が発生しました', message: '予期しないエラーが発生しました。' },
  fields: {
    required: '必須です。',
    invalid_type: '値の種類が正しくありません。',
    invalid_value: 'この値はここでは使えません。',
    invalid_format: '値の形式が正しくありません。',
    unknown_field: '不明な項目です。',
    too_short: '{limit}文字以上で入力してください。',
    too_long: '{limit}文字以内で入力してください。',
    too_few: '{limit}個以上選んでください。',
    too_many: '{limit}個以内で選んでください。',
    conflict: '他の項目と矛盾しています。',
    too_deep: '入れ子が深すぎます。',
  },
}

const attemptsLeft = (count: number) => `残り${count}回です。`
const repeated = 'すでに拒否されたものです。別のものを入力してください。'

/** Japanese texts. Not reviewed by a native speaker. */
export const ja: Locale = {
  errors,
  dialog: {
    lang: 'ja',
    dir: 'ltr',
    title: ({ reason }) =>
      reason === 'login' ? 'ログインの確認' : reason === 'password_reset' ? '新しいパスワードの確認' : 'ご本人確認',
    operations: {
      'Logout Auth Sessions': '端末からログアウト',
      'Create Handoff Token': '別の端末でログイン',
      'Publish Application Widget Config': 'ウィジェットを公開',
      'Delete Application Widget Config': 'ウィジェットを削除',
    },
    choose: '確認方法',
    methods: {
      totp: { name: '認証アプリ', hint: '認証アプリのコードを入力してください。', label: 'コード' },
      sms: { name: 'SMS', hint: 'SMSでコードを受け取り、入力してください。', label: 'コード' },
      backup: { name: 'バックアップコード', hint: '未使用のコードを入力してください。', label: 'バックアップコード' },
      password: { name: 'パスワード', hint: 'パスワードを入力してください。', label: 'パスワード' },
      webauthn: {
        name: 'パスキー',
        hint: 'パスキーまたはセキュリティキーを使ってください。',
        verify: 'パスキーを使う',
      },
    },
    noMethod: 'このアカウントには確認方法がありません。',
    send: 'コードを送信',
    sendAgain: '再送信',
    sendAgainIn: (when) => `${when}に再送信`,
    sending: '送信中…',
    sent: (phone) => `${phone}にコードを送信しました。`,
    verify: '確認',
    verifyIn: (when) => `${when}に再試行`,
    verifying: '確認中…',
    cancel: 'キャンセル',
    empty: 'この項目を入力してください。',
    digits: (count) => `${count}桁のコードを入力してください。`,
    refused: '受け付けられませんでした。',
    repeated,
    attemptsLeft,
    rateLimited: '試行回数が多すぎます。',
    unavailable: 'サービスに接続できません。もう一度お試しください。',
    expired: '時間がかかりすぎました。続けるには、もう一度確認してください。',
    failed: 'うまくいきませんでした。もう一度お試しください。',
  },
  prompt: {
    title: ({ reason, endpoint }) => {
      const subject = { login: 'ログイン', password_reset: '新しいパスワード', elevation: `「${endpoint}」` }
      return `${subject[reason]}には確認が必要です。`
    },
    choices: {
      totp: '認証アプリのコード',
      sms: 'SMSでコードを送信',
      backup: 'バックアップコード',
      password: 'パスワード',
    },
    choose: (count, preset) => `1から${count}までの番号 [${preset}]`,
    prompts: {
      totp: '認証アプリのコード',
      sms: 'SMSのコード',
      backup: 'バックアップコード',
      password: 'パスワード',
    },
    enter: {
      send: 'Enterキーで送信',
      sendAgain: 'Enterキーで再送信',
      otherMethod: 'Enterキーで他の方法を表示',
    },
    sent: (phone) => `${phone}に送信しました。`,
    sendAgainIn: (seconds) => `${seconds}秒後にSMSを再送信できます。`,
    attemptsLeft,
    repeated,
    closed: '回答は不要になりました。',
    errors,
  },
}
