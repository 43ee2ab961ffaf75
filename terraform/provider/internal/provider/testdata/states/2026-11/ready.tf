resource "kvstore_account_ready" "test" {
  account = kvstore_account.test.name
}
